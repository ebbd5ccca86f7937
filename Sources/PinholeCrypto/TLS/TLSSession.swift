import COpenSSL

/// A session that a later handshake with the same server can resume.
///
/// Sendable: an `SSL_SESSION` that a new-session callback handed out is not changed any more.
package final class TLSSession: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SSL_SESSION_free(pointer) }

    /// Whether it can still be offered.
    package var isResumable: Bool { SSL_SESSION_is_resumable(pointer) == 1 }

    /// How many bytes may go ahead of the handshake that resumes it; 0 for none.
    package var mostEarlyData: Int { Int(SSL_SESSION_get_max_early_data(pointer)) }
}
