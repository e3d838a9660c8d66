"""What every allocation must keep, whichever device it chose; `table` names all invariants."""
