import PinholeRuntime
import PinholeTrust

extension OkHttpPin {
    /// Converts the hosts in lines of pins to A-labels, as OkHttp makes them canonical (`String.toCanonicalHost`).
    ///
    /// - Returns: The same lines; a host that has no A-label stays as it is.
    static func canonical(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            let start = line.prefix(while: \.isWhitespace)
            let pattern = line.dropFirst(start.count).prefix { !$0.isWhitespace }
            let pins = line.dropFirst(start.count + pattern.count)
            return start + InternationalName.ascii(String(pattern)) + pins
        }.joined(separator: "\n")
    }
}
