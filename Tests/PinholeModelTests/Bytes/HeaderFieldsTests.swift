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

    @Test("finds fields whatever the case of their names")
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

    @Test("is equal to what has the same lines, wherever they lie")
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

    @Test("takes names and values that somebody else owns")
    func spans() {
        let (name, value, empty) = (Array("x-a".utf8), Array("b c".utf8), [UInt8]())
        var fields = HeaderFields()
        fields.append(name: name.span, value: value.span)
        fields.append(name: name.span, value: empty.span, isNeverIndexed: true)
        #expect(fields.section == Array("x-a: b c\r\nx-a: \r\n".utf8))
        #expect(fields.pairs.map(\.value) == ["b c", ""])
        #expect(fields.valueRange(at: 0) == 5..<8)
        #expect(!fields.isNeverIndexed(at: 0) && fields.isNeverIndexed(at: 1))
    }

    @Test("takes any bytes as a recorded section")
    func noise() {
        let fields = HeaderFields(section: Array("no colon\r\n:\n\r\nA:b".utf8) + [0xff])
        #expect(fields.count == 2)
        #expect(fields.first("a") == "b\u{fffd}")
    }
}
