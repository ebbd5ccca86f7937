import PinholeModel
import PinholeStore
package import PinholeWire
import Synchronization

/// A request that was read to its end.
package struct ConsoleRequest: Sendable {
    /// The head.
    package let head: RequestHead
    /// The path, decoded; each part between slashes.
    package let path: [String]
    /// The query, decoded, in its order.
    package let query: [(name: String, value: String)]
    /// The body.
    package var body: [UInt8]
    /// The body where it was received into a file.
    var file: ImportFile?
    /// Whether the client is gone, so that nobody waits for the answer.
    package let abandonment: Abandonment

    /// Creates a request.
    package init(head: RequestHead, body: [UInt8] = [], abandonment: Abandonment = Abandonment()) {
        self.head = head
        self.body = body
        self.abandonment = abandonment
        let target = head.target.path
        let path = target.prefix { $0 != "?" }
        self.path = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { PercentCoding.decode($0, plusIsSpace: false) }
        query = target.dropFirst(path.count + 1).split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (
                PercentCoding.decode(name, plusIsSpace: true),
                PercentCoding.decode(pair.dropFirst(name.count + 1), plusIsSpace: true)
            )
        }
    }

    /// The first value of a name in the query.
    package func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Whether only the head of the answer is wanted.
    var isHead: Bool { head.method == "HEAD" }
}

/// Says that nobody waits for an answer any more; asked from any thread.
package final class Abandonment: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Somebody waits.
    package init() {}

    /// Whether nobody waits any more.
    package var isAbandoned: Bool { flag.load(ordering: .relaxed) }

    /// Nobody waits any more.
    package func abandon() { flag.store(true, ordering: .relaxed) }
}

/// Percent-encoding (RFC 3986 §2.1), and that of forms.
enum PercentCoding {
    /// The text that `text` encodes; what is no UTF-8 is replaced.
    static func decode(_ text: Substring, plusIsSpace: Bool) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == 0x25, let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsSpace && byte == 0x2b ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
