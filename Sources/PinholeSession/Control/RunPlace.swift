package import PinholeModel

/// The addresses and the CA of a running proxy, for a program that joins it.
package struct RunPlace: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON(
            "address",
            "The address at which the proxy listens for this program alone, without a login."
        ),
        FieldJSON("proxy", "The addresses at which the proxy listens for others."),
        FieldJSON("certificate", "The certificate of its CA, in PEM."),
    ]

    /// The number of the run.
    package let id: Int64
    /// The address of the listener for this program alone, which needs no login: `127.0.0.1:40123`.
    package let address: String
    /// The addresses at which the proxy listens for other clients.
    package let proxy: [String]
    /// The certificate of its CA, in PEM.
    package let certificate: String
}

/// The traffic of a program that joined a running proxy.
package struct RunOutcome: Sendable, Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("connections", "The number of connections that it made."),
        FieldJSON("lines", "The summary of them."),
    ]

    /// The number of connections that the program made.
    package let connections: Int
    /// The summary of these connections, with at least one sentence a line.
    package let lines: [String]
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
