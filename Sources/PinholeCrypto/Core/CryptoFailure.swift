import COpenSSL
import PinholeModel

/// The reason why a cryptographic operation failed.
package struct CryptoFailure: DescribedFailure, Equatable, CustomStringConvertible {
    /// The attempted operation, and the remedy if it is known; a sentence without the final period.
    package let attempt: String
    /// The entries of OpenSSL's error queue, innermost first; empty if there were none.
    package let reasons: [String]

    /// Creates a failure that OpenSSL did not report.
    package init(_ attempt: String) {
        self.attempt = attempt
        reasons = []
    }

    /// Creates a failure of `attempt` and drains OpenSSL's error queue into it.
    package static func drainingQueue(_ attempt: String) -> CryptoFailure {
        CryptoFailure(attempt: attempt, reasons: OpenSSLQueue.drain().map(\.text))
    }

    /// The same failure, with the larger operation that it is a part of put in front.
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
/// Clear the queue before each fallible call, and drain it at once after a failure. Otherwise leftover
/// entries would be blamed on the next call.
enum OpenSSLQueue {
    /// An entry of the queue.
    struct Entry: Equatable {
        /// The packed error code.
        var code: UInt
        /// The reason code within its library.
        var reason: Int32
        /// The names that OpenSSL has for the error, as `library: reason`.
        var text: String
    }

    static func clear() {
        // The queue is nearly always empty, and clearing it costs as much as encrypting a small record.
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// Runs a function that reads a value, and drops the errors on the way, for example about a malformed extension.
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
