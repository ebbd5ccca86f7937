import PinholeModel
import Testing

@Suite("HeaderFields")
struct HeaderFieldsTests {
    private static let section = "Host: a\r\nX-A:b\r\nx-a: \t c \r\nConnection: close ,\t X-Own,,\r\n"

    @Test("keeps lines, order and bytes")
    func bytes() {
        let fields = HeaderFields(section: Self.section.utf8)
        #expect(fields.section == Array(Self.section.utf8))
        #expect(fields.pairs.map(\.name) == ["Host", "X-A", "x-a", "Connection"])
        #expect(fields.pairs.map(\.value) == ["a", "b", "c", "close ,\t X-Own,,"])
        #expect(fields.count == 4 && !fields.isEmpty)
    }

    @Test("finds fields without regard to case")
    func lookup() {
        let fields = HeaderFields(section: Self.section.utf8)
        #expect(fields.first("x-a") == "b")
        #expect(fields.all("x-a") == ["b", "c"])
        #expect(fields.first("y") == nil)
        #expect(fields.contains("host") && !fields.contains("hos"))
        #expect(fields.isNamed("x-a", at: 2))
    }

    @Test("reads lists member by member, without the empty ones")
    func lists() {
        let fields = HeaderFields(section: Self.section.utf8)
        #expect(fields.list("connection") == ["close", "x-own"])
        #expect(fields.list("connection", contains: "x-own"))
        #expect(!fields.list("connection", contains: "own"))
        #expect(fields.members(at: 3).map { String(decoding: $0, as: UTF8.self) } == ["close", "X-Own"])
    }

    @Test("appends and removes lines")
    func changes() {
        var fields = HeaderFields(section: Self.section.utf8)
        fields.append("New", "1")
        fields.removeAll(named: "x-a", "connection")
        #expect(fields.section == Array("Host: a\r\nNew: 1\r\n".utf8))
        fields.remove(at: [0])
        #expect(fields.section == Array("New: 1\r\n".utf8))
    }

    @Test("fields with the same lines are equal, wherever their bytes lie")
    func equality() {
        let head = Array("GET / HTTP/1.1\r\nA: b\r\n\r\n".utf8)
        var shared = HeaderFields(sharing: head, lineCapacity: 1)
        shared.addLine(16..<22, nameEnd: 17, value: 19..<20)
        var own = HeaderFields()
        own.append("A", "b")
        #expect(shared == own)
        #expect(shared.section == own.section)
        shared.append("C", "d")
        #expect(shared != own)
        #expect(shared.first("c") == "d")
    }

    @Test("splits the line of a pseudo-field at its second colon")
    func pseudoFields() {
        let fields = HeaderFields(section: ":method: GET\r\n:path: /a:b\r\nx: y\r\n".utf8)
        #expect(fields.pairs.map(\.name) == [":method", ":path", "x"])
        #expect(fields.pairs.map(\.value) == ["GET", "/a:b", "y"])
    }

    @Test("knows the role of a field by its name, in any case")
    func roles() {
        let roles: [(String, FieldRole)] = [
            ("te", .te), ("host", .host), ("upgrade", .upgrade), ("connection", .connection),
            ("keep-alive", .keepAlive), ("content-length", .contentLength),
            ("proxy-connection", .proxyConnection), ("transfer-encoding", .transferEncoding),
            ("proxy-authorization", .proxyAuthorization),
        ]
        for (name, role) in roles {
            var fields = HeaderFields(section: "\(name): a\r\n\(name.uppercased()): b\r\n".utf8)
            fields.append(name, "c")
            #expect(fields.indices.map { fields.role(at: $0) } == [role, role, role])
            for place in name.utf8.indices {
                for other in ["0", "\r", "\u{7f}", "^"] {
                    var wrong = String(name.utf8[..<place]) ?? ""
                    wrong += other
                    wrong += String(name.utf8[name.utf8.index(after: place)...]) ?? ""
                    var fields = HeaderFields()
                    fields.append(wrong, "a")
                    #expect(fields.role(at: 0) == .other, "\(wrong)")
                }
            }
        }
    }

    @Test("reads recorded lines that are folded, end with LF, or have a space before the colon")
    func sloppyLines() {
        let fields = HeaderFields(section: "A: b\n \t c\r\n  d\r\nE \t: f\r\n \r\nG: h".utf8)
        #expect(fields.pairs.map(\.name) == ["A", "E", "G"])
        #expect(fields.pairs.map(\.value) == ["b c d", "f", "h"])
        #expect(HeaderFields(section: " A: b\r\nC: d\r\n".utf8).first("c") == "d")
    }

    @Test("keeps that a field must not be indexed")
    func neverIndexed() {
        var fields = HeaderFields(sharing: Array("a: b\r\nc: d\r\n".utf8), lineCapacity: 2)
        fields.addLine(0..<6, nameEnd: 1, value: 3..<4)
        fields.addLine(6..<12, nameEnd: 7, value: 9..<10, isNeverIndexed: true)
        #expect(!fields.isNeverIndexed(at: 0) && fields.isNeverIndexed(at: 1))
        #expect(fields.valueRange(at: 1) == 9..<10)
    }

    @Test("takes any bytes as a recorded section")
    func noise() {
        let fields = HeaderFields(section: Array("no colon\r\n:\n\r\nA:b".utf8) + [0xff])
        #expect(fields.count == 2)
        #expect(fields.first("a") == "b\u{fffd}")
    }
}
