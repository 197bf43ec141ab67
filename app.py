"""The Streamlit app: navigation and what all pages share, nothing else.

Run it with ``streamlit run app.py``.
"""

import streamlit as st

from paytables.ui import compare, main_game, saved, side_bet, target

st.set_page_config(
    page_title="Blackjack odds and paytables",
    page_icon="🃏",  # an icon by name would be fetched from elsewhere
    layout="wide",
)

pages = [
    st.Page(main_game.page, title="Main game", icon=":material/table_restaurant:", default=True),
    st.Page(side_bet.page, title="Side bet", icon=":material/style:", url_path="side-bet"),
    st.Page(target.page, title="Hit a target", icon=":material/target:", url_path="target"),
    st.Page(compare.page, title="Compare", icon=":material/compare_arrows:", url_path="compare"),
    st.Page(saved.page, title="Saved designs", icon=":material/history:", url_path="saved"),
]
st.navigation(pages).run()
