/// Where a program that joins a running proxy finds it.
package struct RunPlace: Sendable, Codable {
    /// The number of the run.
    package let id: Int64
    /// Where the proxy listens for this program alone, without a login: `127.0.0.1:40123`.
    package let address: String
    /// Where the proxy listens for others.
    package let proxy: [String]
    /// The certificate of its CA, in PEM.
    package let certificate: String

    /// Takes the facts of a run.
    package init(id: Int64, address: String, proxy: [String], certificate: String) {
        self.id = id
        self.address = address
        self.proxy = proxy
        self.certificate = certificate
    }
}

/// What a program did that joined a running proxy.
package struct RunOutcome: Sendable, Codable {
    /// How many connections it made.
    package let connections: Int
    /// What is told of them, a sentence or more a line.
    package let lines: [String]

    /// Takes the outcome of a run.
    package init(connections: Int, lines: [String]) {
        self.connections = connections
        self.lines = lines
    }
}

extension ConsoleSubject {
    /// Lets programs join the proxy.
    package struct Runs: Sendable {
        let begin: @Sendable (_ process: Int64) async -> Result<RunPlace, Problem>
        let end: @Sendable (_ id: Int64) async -> RunOutcome?

        /// Creates what lets programs join.
        ///
        /// - Parameters:
        ///   - begin: Listens for the program that a process runs.
        ///   - end: Listens no more, and tells what the program did; `nil` if there is no such run.
        package init(
            begin: @escaping @Sendable (_ process: Int64) async -> Result<RunPlace, Problem>,
            end: @escaping @Sendable (_ id: Int64) async -> RunOutcome?
        ) {
            self.begin = begin
            self.end = end
        }
    }

    /// A command line for a client, which leads it through the proxy.
    package struct ClientCommand: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case client, command }

        /// What the client is called.
        let client: String
        /// The line, for a shell.
        let command: String

        /// Takes a line.
        package init(client: String, command: String) {
            self.client = client
            self.command = command
        }
    }
}
