package import PinholeModel

/// The JSON of the key exchanges of a flow, with the names of groups.
package struct KeyExchangeJSON: Encodable {
    let offered: [String]
    let shares: [String]?
    let client: String?
    let offeredToServer: [String]?
    let server: String?
    let effect: String?
    let explanation: String?

    /// Takes the key exchanges of a flow.
    package init(_ exchange: KeyExchange) {
        offered = exchange.offered.map(\.description)
        shares = exchange.shares?.map(\.description)
        client = exchange.client?.description
        offeredToServer = exchange.offeredToServer?.map(\.description)
        server = exchange.server?.description
        effect = exchange.effect?.rawValue
        explanation = exchange.explanation
    }
}
