"""PAR sheets: one document model, built from a bet or a table and written in several formats."""
