"""The invariants of every allocation, whichever devices it chose; `table` names all of them."""
