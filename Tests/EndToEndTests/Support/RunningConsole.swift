import Foundation
import PinholeModel
import PinholeTestKit
import Testing

/// The API of a running proxy.
struct RunningConsole: Sendable {
    let port: UInt16
    let token: String

    init(of stage: Stage) async throws {
        let line = try await stage.process.line(from: .errorOutput) { $0.contains("pinhole: console ") }
        let match = try #require(line.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/\?token=([\w-]{43})/))
        port = try #require(UInt16(match.1))
        token = String(match.2)
    }

    /// Asks, on a connection of its own.
    func ask(
        _ line: String,
        _ body: String = "",
        _ fields: [String] = []
    ) throws -> (status: Int, text: String) {
        let connection = try Connection(to: port)
        try connection.send(
            "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n"
                + fields.map { "\($0)\r\n" }.joined()
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        let response = try connection.readResponse()
        return (response.status, response.text)
    }

    /// The number of the item that matches a filter, as soon as there is one.
    func item(_ filter: String) throws -> Int64 {
        let query = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? filter
        let found: Int64? = try Patience.pollBlocking {
            let list = try ask("GET /api/traffic?filter=\(query)").text
            guard case .object(let members) = try JSONValue(parsing: Array(list.utf8)),
                case .array(let items)? = members["items"], case .object(let first)? = items.first,
                case .integer(let id)? = first["id"]
            else { return nil }
            return id
        }
        return try #require(found, "nothing matches \(filter)")
    }
}
