import COpenSSL

/// A session that a later handshake with the same server can resume.
///
/// Sendable: an `SSL_SESSION` is no longer changed once the new-session callback has handed it out.
package final class TLSSession: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over one reference.
    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { SSL_SESSION_free(pointer) }

    private var questions: SessionQuestions { SessionQuestions(pointer) }

    /// Whether a client can still offer the session.
    package var isResumable: Bool { questions.isResumable }

    /// The number of bytes of early data that the session permits; 0 for none.
    package var mostEarlyData: Int { questions.mostEarlyData }
}
