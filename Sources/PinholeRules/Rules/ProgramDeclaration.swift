/// A program that rules may name: its command, and the settings of its questions.
///
/// A declaration runs a program as the user of the proxy. So only the configuration and the command line can
/// contain declarations, and rules refer to them by name.
package struct ProgramDeclaration: Sendable, Hashable {
    /// The name of the program and the settings of its questions.
    package var call: ProgramCall
    /// The program and its arguments.
    package var command: [String]
    /// The working directory of the program; empty for the proxy's.
    package var folder = ""
    /// The number of failures in a row after which the program is left out for a while.
    package var failureLimit = 3

    /// Creates a declaration.
    package init(_ call: ProgramCall, command: [String]) {
        self.call = call
        self.command = command
    }

    /// The name of the program.
    package var name: String { call.name }
}
