import PinholeModel
import PinholeStore
package import PinholeWire
import Synchronization

/// A request that was received completely.
package struct ConsoleRequest: Sendable {
    /// The head of the request.
    package let head: RequestHead
    /// The decoded parts of the path between slashes.
    package let path: [String]
    /// The decoded parameters of the query, in their order.
    package let query: [(name: String, value: String)]
    /// The body, if it was received into memory.
    package var body: [UInt8]
    /// The file with the body, if it was received into a file.
    var file: ImportFile?
    /// Tells whether the client has gone, so that work for its answer can stop.
    package let abandonment: Abandonment

    /// Creates a request.
    package init(head: RequestHead, body: [UInt8] = [], abandonment: Abandonment = Abandonment()) {
        self.head = head
        self.body = body
        self.abandonment = abandonment
        let target = head.target.path
        let path = target.prefix { $0 != "?" }
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { String(decoding: PercentCoding.decode($0.utf8), as: UTF8.self) }
        query = Self.pairs(of: target.dropFirst(path.count + 1))
    }

    /// Returns the decoded names and values of a query, or of an HTML form.
    package static func pairs(of text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (formText(Substring(name)), formText(Substring(pair.dropFirst(name.count + 1))))
        }
    }

    /// Returns the text of a name or value of the query, which is encoded as in an HTML form.
    private static func formText(_ text: Substring) -> String {
        String(decoding: PercentCoding.decode(text.utf8, plusIsSpace: true), as: UTF8.self)
    }

    /// Returns the first value of a parameter of the query.
    package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Whether only the head of the answer is requested.
    package var isHead: Bool { head.method == "HEAD" }
}

/// A flag that the client of a request has gone; any thread may read it.
package final class Abandonment: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Creates a flag for a client that waits.
    package init() {}

    /// Whether the client has gone.
    package var isAbandoned: Bool { flag.load(ordering: .relaxed) }

    /// Marks the client as gone.
    package func abandon() { flag.store(true, ordering: .relaxed) }
}
