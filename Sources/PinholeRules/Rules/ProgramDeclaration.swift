/// A program that rules may name: what is started, and how it is asked.
///
/// Whoever can declare one runs programs as the user who runs the proxy, so only the configuration and the command line
/// do; rules name what is declared.
package struct ProgramDeclaration: Sendable, Hashable {
    /// How it is asked, and its name.
    package var call: ProgramCall
    /// The program and its arguments.
    package var command: [String]
    /// The folder that it runs in; that of the proxy where it is empty.
    package var folder = ""
    /// After how many failures in a row it is left out for a while.
    package var failureLimit = 3

    /// Creates a declaration.
    package init(_ call: ProgramCall, command: [String]) {
        self.call = call
        self.command = command
    }

    /// How it is called.
    package var name: String { call.name }
}
