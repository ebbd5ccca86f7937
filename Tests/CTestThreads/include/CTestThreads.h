// Swift's tasks on threads of their own, while tests run; see threads.c. Linking this target is enough.
