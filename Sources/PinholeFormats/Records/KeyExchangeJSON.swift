package import PinholeModel

/// The JSON of the key exchanges of a flow, with the names of groups.
package struct KeyExchangeJSON: Codable, DescribedMembers {
    /// The members whose meaning the description of the API tells.
    package static let described: [FieldJSON] = [
        FieldJSON("offered", "The client's groups, in its order."),
        FieldJSON("shares", "The groups of the client's key shares."),
        FieldJSON("client", "The group on the client's side."),
        FieldJSON("offeredToServer", "The groups that the proxy offered to the server."),
        FieldJSON("sharesToServer", "The groups of the proxy's key shares."),
        FieldJSON("server", "The group on the server's side."),
        FieldJSON(
            "effect",
            "What the interception changed; missing if nothing.",
            values: ["weakened", "perhapsWeakened"]
        ),
        FieldJSON("explanation", "The effect in a sentence or two."),
    ]

    let offered: [String]
    let shares: [String]?
    let client: String?
    let offeredToServer: [String]?
    let sharesToServer: [String]?
    let server: String?
    let effect: String?
    let explanation: String?

    /// Takes the key exchanges of a flow.
    package init(_ exchange: KeyExchange) {
        offered = exchange.offered.map(\.description)
        shares = exchange.shares?.map(\.description)
        client = exchange.client?.description
        offeredToServer = exchange.offeredToServer?.map(\.description)
        sharesToServer = exchange.sharesToServer?.map(\.description)
        server = exchange.server?.description
        effect = exchange.effect?.rawValue
        explanation = exchange.explanation
    }
}
