"""The suite: loading, lint, selection and coverage."""
