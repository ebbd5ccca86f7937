/// What keeps a scenario out of audits, where nothing is known of a client but what it does on the wire.
package enum AuditObstacle: String, Sendable, Hashable, CaseIterable {
    /// It takes a password, a certificate or a token that the lab knows.
    case credentials
    /// It is about a later connection of the same process, which most programs never make.
    case laterConnection
    /// A refusal, or what it is a refusal of, leaves nothing in the handshake.
    case unseen
    /// It needs another device: its clock, or which of its CAs are the user's.
    case device
    /// An audit begins with the honest server, so nobody's first contact comes later.
    case firstContact
    /// It begins at a host that the program has no pins for, and an audit names it one host alone.
    case otherHost
    /// It leads to plain HTTP, where only a proxy sees who comes.
    case needsProxy

    /// Why the scenario cannot be audited, as the end of a sentence.
    package var reason: String {
        switch self {
        case .credentials: "it takes a password, a certificate or a token that the lab knows"
        case .laterConnection: "it is about a later connection of the same process"
        case .unseen: "what the client makes of it leaves nothing in the handshake"
        case .device: "it needs another device: its clock, or which of its CAs are the user's"
        case .firstContact: "an audit begins with the honest server, so that no later contact is the first"
        case .otherHost: "it begins at another host than the pinned one, and a program is told of one alone"
        case .needsProxy: "it leads to plain HTTP, where only a proxy sees who comes: leave out --listen"
        }
    }

    /// The scenarios that it keeps out, by their identifiers.
    package var scenarios: [String] {
        switch self {
        case .credentials: ["B16", "B18", "B21", "B22", "B23"]
        case .laterConnection: ["B07", "B08", "B10", "B36", "B38", "L15", "L18", "L19"]
        case .unseen: ["B13", "B14", "B17", "B33", "B34", "B35"]
        case .device: ["B31", "B32", "L20"]
        case .firstContact: ["B19"]
        case .otherHost: ["B09"]
        case .needsProxy: ["B12"]
        }
    }
}
