/// The addresses and the CA of a running proxy, for a program that joins it.
package struct RunPlace: Sendable, Codable {
    /// The number of the run.
    package let id: Int64
    /// The address of the listener for this program alone, which needs no login: `127.0.0.1:40123`.
    package let address: String
    /// The addresses at which the proxy listens for other clients.
    package let proxy: [String]
    /// The certificate of its CA, in PEM.
    package let certificate: String

    /// Creates the place of a run.
    package init(id: Int64, address: String, proxy: [String], certificate: String) {
        self.id = id
        self.address = address
        self.proxy = proxy
        self.certificate = certificate
    }
}

/// The traffic of a program that joined a running proxy.
package struct RunOutcome: Sendable, Codable {
    /// The number of connections that the program made.
    package let connections: Int
    /// The summary of these connections, with at least one sentence a line.
    package let lines: [String]

    /// Creates the outcome of a run.
    package init(connections: Int, lines: [String]) {
        self.connections = connections
        self.lines = lines
    }
}

extension ConsoleSubject {
    /// The functions by which programs join the proxy.
    package struct Runs: Sendable {
        let begin: @Sendable (_ process: Int64, _ isContainer: Bool) async -> Result<RunPlace, Problem>
        let end: @Sendable (_ id: Int64) async -> RunOutcome?

        /// Creates the two functions by which programs join and leave.
        ///
        /// - Parameters:
        ///   - begin: Opens a listener for the program that a process runs, which may be in a container.
        ///   - end: Closes the listener, and returns the program's traffic; `nil` if there is no such run.
        package init(
            begin:
                @escaping @Sendable (_ process: Int64, _ isContainer: Bool) async -> Result<RunPlace, Problem>,
            end: @escaping @Sendable (_ id: Int64) async -> RunOutcome?
        ) {
            self.begin = begin
            self.end = end
        }
    }

    /// A command line for a client, which leads it through the proxy.
    package struct ClientCommand: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case client, command }

        /// The name of the client.
        let client: String
        /// The command for a shell.
        let command: String

        /// Creates a command for a client.
        package init(client: String, command: String) {
            self.client = client
            self.command = command
        }
    }
}
