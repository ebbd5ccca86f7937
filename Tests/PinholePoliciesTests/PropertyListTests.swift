import Foundation
import PinholeModel
import PinholePolicies
import PinholeTestKit
import PinholeTrust
import Testing

@Suite("PropertyList")
struct PropertyListTests {
    private static var object: [String: Any] {
        [
            "name": "üñí 🎯", "ascii": "plain", "yes": true, "no": false, "number": 42, "big": Int64.max,
            "minus": -7,
            "half": 0.5, "data": Data([1, 2, 3]), "list": ["a", 1, [String]()] as [Any],
            "long": (0..<40).map { "entry \($0)" }, "nested": ["deep": ["deeper": "end"]],
            "date": Date(timeIntervalSince1970: 1_795_219_200),
        ]
    }

    private static let expected = PropertyListValue.dictionary([
        "name": .string("üñí 🎯"), "ascii": .string("plain"), "yes": .boolean(true), "no": .boolean(false),
        "number": .integer(42), "big": .integer(.max), "minus": .integer(-7), "half": .real(0.5),
        "data": .data([1, 2, 3]), "list": .array([.string("a"), .integer(1), .array([])]),
        "long": .array((0..<40).map { .string("entry \($0)") }),
        "nested": .dictionary(["deep": .dictionary(["deeper": .string("end")])]),
        "date": .date(Timestamp(seconds: 1_795_219_200)),
    ])

    private static func encoded(
        _ object: Any,
        _ format: PropertyListSerialization.PropertyListFormat
    ) throws -> [UInt8] {
        Array(try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0))
    }

    @Test("reads property lists of Foundation, in XML and binary", arguments: [false, true])
    func formats(isBinary: Bool) throws {
        let bytes = try Self.encoded(Self.object, isBinary ? .binary : .xml)
        #expect(try PropertyList.read(bytes) == Self.expected)
    }

    @Test("never traps on truncated or changed bytes")
    func mutations() throws {
        let binary = try Self.encoded(Self.object, .binary)
        for length in binary.indices { _ = try? PropertyList.read(Array(binary[..<length])) }
        var random = SeededRandom(seed: 20)
        for _ in 0..<20_000 {
            var changed = binary
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let index = Int.random(in: changed.indices, using: &random)
                changed[index] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? PropertyList.read(changed)
        }
    }

    /// A binary list of `objects`, each one byte string, the first the root.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
            bytes += object
        }
        let table = bytes.count
        let number = { (value: Int) in
            [UInt8](repeating: 0, count: 6) + [UInt8(value >> 8), UInt8(value & 0xff)]
        }
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 1] + number(objects.count) + number(0) + number(table)
    }

    @Test("bounds lists that share their elements: a small file that stands for a huge tree")
    func sharing() {
        let levels = (0..<40).map { level in [0xa8] + [UInt8](repeating: UInt8(level + 1), count: 8) }
        let bytes = Self.binary(levels + [[0x09]])
        #expect(bytes.count < 1000)
        let failure = #expect(throws: PolicyFailure.self) { try PropertyList.read(bytes) }
        #expect(failure?.description.contains("values") == true)
    }

    /// A binary string or data of `count` bytes.
    private static func long(_ marker: UInt8, _ count: Int) -> [UInt8] {
        [marker | 0x0f, 0x12] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
            + [UInt8](repeating: 0x61, count: count)
    }

    @Test(
        "bounds shared texts, which are copied for each reference",
        arguments: [0x40, 0x50, 0x60] as [UInt8]
    )
    func sharedContent(marker: UInt8) {
        let unit = marker == 0x60 ? 2 : 1
        let text = Self.long(marker, 30_000 / unit)
        let grown = unit == 1 ? text : text + [UInt8](repeating: 0, count: 30_000 / 2)
        let list = [0xaf, 0x11, 0x0f, 0xff] + [UInt8](repeating: 1, count: 0x0fff)
        let failure = #expect(throws: PolicyFailure.self) {
            try PropertyList.read(Self.binary([list, grown]))
        }
        #expect(
            failure?.description.contains("bytes of strings and data") == true,
            "\(String(describing: failure))"
        )
    }

    @Test("counts the references of a list before it reads them")
    func references() {
        let nested = [0xaf, 0x12, 0, 1, 0x86, 0xa1] + [UInt8](repeating: 0, count: 100_001)
        var bytes = Array("bplist00".utf8) + nested
        let table = bytes.count
        let number = { (value: Int) in (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
        bytes += [8] + [0, 0, 0, 0, 0, 0, 1, 1] + number(1) + number(0) + number(table)
        let failure = #expect(throws: PolicyFailure.self) { try PropertyList.read(bytes) }
        #expect(failure?.description.contains("values") == true, "\(String(describing: failure))")
    }

    @Test("bounds lists that contain themselves")
    func cycles() {
        for bytes in [Self.binary([[0xa1, 0x00]]), Self.binary([[0xd1, 0x01, 0x00], [0x51, 0x61]])] {
            let failure = #expect(throws: PolicyFailure.self) { try PropertyList.read(bytes) }
            #expect(failure?.description.contains("deeper") == true, "\(String(describing: failure))")
        }
    }

    @Test(
        "refuses binary lists that point outside of themselves",
        arguments: [
            [[0xa1, 0x09]], [[0x5f, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]], [[0x5e]],
            [[0x4f, 0x10, 0xff]], [[0x13]], [[0x14]], [[0x22, 0]], [[0x33, 0]],
            [[0xd1, 0x01, 0x01], [0x10, 0x01]],
            [[0x80, 0x01]], [[0xff]], [[0x33, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0]], [[0x5f, 0x20]],
        ] as [[[UInt8]]]
    )
    func damaged(objects: [[UInt8]]) {
        #expect(throws: PolicyFailure.self) { try PropertyList.read(Self.binary(objects)) }
    }

    @Test(
        "refuses XML that is no property list, with the line",
        arguments: [
            "<list/>", "<plist/>", "<plist><dict/><dict/></plist>",
            "<plist><dict><string>a</string></dict></plist>",
            "<plist><dict><key>a</key></dict></plist>",
            "<plist><dict><key>a</key><key>b</key></dict></plist>",
            "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>",
            "<plist><integer>x</integer></plist>", "<plist><real>x</real></plist>",
            "<plist><date>x</date></plist>",
            "<plist><data>!</data></plist>", "<plist><string><b/></string></plist>", "<plist><what/></plist>",
        ]
    )
    func wrong(text: String) {
        let failure = #expect(throws: PolicyFailure.self) { try PropertyList.read(Array(text.utf8)) }
        #expect(failure?.description.contains("line 1") == true, "\(String(describing: failure))")
    }

    @Test("is bounded in depth and size")
    func bounds() {
        let deep = "<plist>" + String(repeating: "<array>", count: 100_000)
        #expect(throws: PolicyFailure.self) { try PropertyList.read(Array(deep.utf8)) }
        #expect(throws: PolicyFailure.self) {
            try PropertyList.read([UInt8](repeating: 0x20, count: 5 << 20))
        }
    }
}
