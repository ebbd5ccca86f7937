/// A program that is asked about exchanges, and how much is put up with from it.
package struct ProgramSettings: Sendable, Hashable {
    /// How it is called in messages and records.
    package var name: String
    /// The program and its arguments.
    package var command: [String]
    /// How long it may take over an answer.
    package var patience = Duration.seconds(5)
    /// After how many failures in a row it is left out for a while.
    package var failures = 3

    /// Creates settings with the defaults.
    package init(name: String, command: [String]) {
        self.name = name
        self.command = command
    }
}
