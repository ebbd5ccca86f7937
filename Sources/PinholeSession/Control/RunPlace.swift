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

/// A command line for a client, which leads it through the proxy.
package struct ClientCommand: Sendable, Codable {
    /// The name of the client.
    let client: String
    /// The command for a shell.
    package let command: String

    /// Creates a command for a client.
    package init(client: String, command: String) {
        self.client = client
        self.command = command
    }
}
