//! A dialog's life, from the pane it was read off to the key that answers it, against the running service.

mod life;
