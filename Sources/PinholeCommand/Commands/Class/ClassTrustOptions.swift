import ArgumentParser

/// The option that confirms the folder of a class that was begun elsewhere.
struct ClassTrustOptions: ParsableArguments {
    @Flag(
        help: """
            Use a folder that you did not begin on this machine. The person who began it knows its passwords, and has the \
            keys of its page and its CAs.
            """
    )
    var trustFolder = false
}
