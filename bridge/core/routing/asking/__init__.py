"""Questions of servers: who asks them, who is asked, and what becomes of the answer."""
