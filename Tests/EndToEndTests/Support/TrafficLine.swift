import Foundation

/// A line of `pinhole proxy --json`.
struct TrafficLine: Decodable, Sendable {
    struct Failure: Decodable, Sendable {
        let peer: String
        let cause: String
        let isHint: Bool
        let endedBy: String?
        let alert: String?
        let alertCode: Int?
        let detail: String
    }

    let type: String
    let id: Int64?
    let flow: Int64?
    let address: String?
    let method: String?
    let url: String?
    let status: Int?
    let requestBytes: Int64?
    let responseBytes: Int64?
    let client: String?
    let authority: String?
    let treatment: String?
    let reason: String?
    let outcome: String?
    let fault: String?
    let detail: String?
    let notes: [String]?
    let handshakeFailure: Failure?

    /// Reads a line; `nil` for one that is no JSON.
    init?(_ line: String) {
        guard let value = try? JSONDecoder().decode(TrafficLine.self, from: Data(line.utf8)) else {
            return nil
        }
        self = value
    }
}
