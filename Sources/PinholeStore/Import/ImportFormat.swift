/// The format of an imported file.
package enum ImportFormat: String, Sendable, CaseIterable {
    /// HTTP Archive 1.2, or JSON lines with an entry in each.
    case har
    /// JSON lines in the form that Pinhole exports.
    case jsonl
    /// A flow file of mitmproxy.
    case mitm
    /// A JSON session of Charles (`.chlsj`).
    case charles

    /// Recognises the format by the first bytes of a file; `nil` if they belong to none.
    init?(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
        let start = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
        switch start.first {
        case 0x7b: self = .har
        case 0x5b: self = .charles
        case .some(0x30...0x39) where bytes.drop(while: { (0x30...0x39).contains($0) }).first == 0x3a:
            self = .mitm
        default: return nil
        }
    }

    /// Returns a description of a file that cannot be imported, and the remedy.
    static func refusal(_ bytes: ArraySlice<UInt8>) -> String {
        let html = "it is a page of HTML, maybe what a server said instead of the file. Get the file itself."
        let known: [([UInt8], String)] = [
            (
                [],
                "it is empty. Name a HAR, a flow file of mitmproxy, a JSON session of Charles or JSON lines."
            ),
            (Array("SQLite format 3".utf8), "it is a database. If it is a capture: pinhole flows merge."),
            ([0x1f, 0x8b], "it is compressed with gzip. Unpack it first: gunzip."),
            (
                [0x50, 0x4b, 3, 4],
                "it is a zip archive, as sessions of Charles (.chls) are. From Charles, save a JSON session (.chlsj) or export HAR; unpack another."
            ),
            ([0xac, 0xed], "it is a binary session of Charles. Save it there as a JSON session (.chlsj)."),
            (Array("<!doctype html".utf8), html), (Array("<html".utf8), html),
            ([0x3c], "it is XML. From Charles, save a JSON session (.chlsj) or export HAR."),
            ([0xff, 0xfe], "it is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8."),
        ]
        let expected = "Name a HAR, a flow file of mitmproxy, a JSON session of Charles or JSON lines."
        let found = known.dropFirst().first { start, _ in
            bytes.starts(with: start) || start.first == 0x3c && Self.isTag(bytes, start)
        }
        if bytes.isEmpty { return known[0].1 }
        return found?.1 ?? "it begins like none of the formats that are known. \(expected)"
    }

    /// Whether a document begins with a tag, in any case, after white space.
    private static func isTag(_ bytes: ArraySlice<UInt8>, _ tag: [UInt8]) -> Bool {
        let start = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
        return String(decoding: start.prefix(tag.count), as: UTF8.self).lowercased()
            == String(decoding: tag, as: UTF8.self)
    }
}
