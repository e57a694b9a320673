// Replaced by the built app.
