"""One selector against many devices at once. Polars is imported when the first column is made."""
