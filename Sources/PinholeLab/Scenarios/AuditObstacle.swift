/// The reasons why a scenario cannot be audited: an audit sees a client only on the wire.
package enum AuditObstacle: String, Sendable, Hashable, CaseIterable {
    /// The scenario takes a password, a certificate or a token that only the lab knows.
    case credentials
    /// The scenario needs a later connection of the same process, which most programs never make.
    case laterConnection
    /// The client's decision leaves no trace in the handshake.
    case unseen
    /// The scenario needs another device: another clock, or CAs that the user installed.
    case device
    /// The attack is at the first contact, but an audit begins with the honest server.
    case firstContact
    /// The scenario begins at a host that the program has no pins for, but an audit names the program only one host.
    case otherHost
    /// The scenario is about logs of certificates, and the program knows other logs than those of the lab.
    case unknownLogs
    /// The scenario leads to plain HTTP, where only a proxy sees the client's request.
    case needsProxy

    /// The reason why the scenario cannot be audited, as the end of a sentence.
    package var reason: String {
        switch self {
        case .credentials: "the client needs a password, a certificate or a token of the lab"
        case .laterConnection: "the client needs a second connection in the same process"
        case .unseen: "the client's decision leaves no trace in the handshake"
        case .device: "the client needs another device: another clock, or CAs that the user added"
        case .firstContact: "the attack is at the first contact, and an audit begins with the honest server"
        case .otherHost: "the connection begins at a second host, and an audit names only one to the program"
        case .unknownLogs: "the client would have to know the lab's certificate logs"
        case .needsProxy: "the redirect leads to plain HTTP, which only a proxy sees: leave out --listen"
        }
    }
}
