import COpenSSL

/// Why a cryptographic operation failed.
package struct CryptoFailure: Error, Equatable, CustomStringConvertible {
    /// What was attempted, and what to do where that is known; a sentence without the final period.
    package let attempt: String
    /// What OpenSSL's error queue said, innermost first; empty where it said nothing.
    package let reasons: [String]

    /// Creates a failure of our own judgement.
    package init(_ attempt: String) {
        self.attempt = attempt
        reasons = []
    }

    /// Creates a failure of `attempt` and drains OpenSSL's error queue into it.
    package static func drainingQueue(_ attempt: String) -> CryptoFailure {
        CryptoFailure(attempt: attempt, reasons: OpenSSLQueue.drain().map(\.text))
    }

    /// The same failure, seen from the attempt that it is a part of.
    func adding(_ context: String) -> CryptoFailure {
        CryptoFailure(attempt: "\(context): \(attempt)", reasons: reasons)
    }

    private init(attempt: String, reasons: [String]) {
        self.attempt = attempt
        self.reasons = reasons
    }

    /// The attempt and the reasons.
    package var description: String {
        reasons.isEmpty ? attempt : "\(attempt): \(reasons.joined(separator: "; "))"
    }
}

/// OpenSSL's error queue of this thread.
///
/// Clear it before each fallible call and drain it at once after a failure: what is left over would
/// be blamed on the next caller.
enum OpenSSLQueue {
    /// One entry.
    struct Entry: Equatable {
        /// The packed code.
        var code: UInt
        /// The reason within its library.
        var reason: Int32
        /// `library: reason`, as OpenSSL names them.
        var text: String
    }

    static func clear() {
        // It is nearly always empty, and to clear it costs as much as to encrypt a small record.
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// Runs what reads a value; complaints on the way, as of a malformed extension, are nobody's business.
    static func quietly<Value>(_ read: () -> Value) -> Value {
        clear()
        defer { clear() }
        return read()
    }

    static func drain() -> [Entry] {
        var entries: [Entry] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return entries }
            let library = ERR_lib_error_string(code).map { String(cString: $0) } ?? "OpenSSL"
            let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
            entries.append(
                Entry(
                    code: UInt(code),
                    reason: Int32(truncatingIfNeeded: code & 0x7fffff),
                    text: "\(library): \(reason)"
                )
            )
        }
    }
}
