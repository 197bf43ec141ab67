"""What a designer does with odds: presets, paytables, metrics, search, sheets and the app."""
