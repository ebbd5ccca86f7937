import COpenSSL
import PinholeModel

/// The functions that OpenSSL calls.
///
/// They append to the connection's ``TLSChannel`` and do nothing else.
enum TLSCallbacks {
    static let info: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { ssl, place, value in
        guard place & SSL_CB_ALERT != 0, let channel = channel(of: ssl) else { return }
        let alert = Alert(code: UInt8(truncatingIfNeeded: value), isFatal: value >> 8 == SSL3_AL_FATAL)
        if place & SSL_CB_READ != 0 {
            channel.pointee.alertReceived = alert
        } else {
            channel.pointee.alertSent = alert
        }
    }

    static let verify: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { context, _ in
        guard let requested = context.map(RequestedVerification.init(insideCallback:)),
            let ssl = requested.connection, let channel = channel(of: ssl)
        else { return 0 }
        if channel.pointee.deliberation != nil {
            return deliberate(over: requested, ssl, channel)
        }
        guard let judge = channel.pointee.judge else { return 0 }
        let verification = judge.judge(requested)
        channel.pointee.verification = verification
        return verification.isAccepted ? 1 : 0
    }

    static let newSession: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32 = { ssl, session in
        guard let session, let channel = channel(of: ssl) else { return 0 }
        channel.pointee.session = TLSSession(taking: session)
        return 1
    }

    /// Keeps the certificate timestamps that come with the leaf.
    static let timestamps:
        @convention(c) (
            OpaquePointer?, UInt32, UInt32, UnsafePointer<UInt8>?, Int, OpaquePointer?, Int,
            UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?
        ) -> Int32 = { ssl, _, _, bytes, count, _, index, _, _ in
            guard index == 0, let bytes, let channel = channel(of: ssl) else { return 1 }
            channel.pointee.signedTimestamps = Array(UnsafeBufferPointer(start: bytes, count: count))
            return 1
        }

    static let clientCertificateRequested:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = {
            ssl,
            _ in
            guard let channel = channel(of: ssl) else { return 1 }
            channel.pointee.requestedClientCertificate = true
            guard channel.pointee.deliberation?.hasAnsweredClientCertificate == false else { return 1 }
            channel.pointee.deliberation?.question = .clientCertificate
            return -1
        }

    /// Asks about the server's chain outside of the handshake, or passes the answer to libssl.
    private static func deliberate(
        over requested: RequestedVerification,
        _ ssl: OpaquePointer,
        _ channel: UnsafeMutablePointer<TLSChannel>
    ) -> Int32 {
        guard let verification = channel.pointee.deliberation?.verification else {
            channel.pointee.deliberation?.presented = ServerJudge.certificates(requested.presented)
            channel.pointee.deliberation?.question = .serverCertificate
            // The handshake call returns now. The next one runs this callback again.
            return pinhole_SSL_set_retry_verify(ssl)
        }
        // libssl derives the alert from this error.
        requested.setError(verification)
        return verification == X509_V_OK ? 1 : 0
    }

    static let staple: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
        guard let ssl, let response = channel(of: ssl)?.pointee.stapled,
            // libssl frees the copy with the connection.
            let copy = CRYPTO_memdup(response, response.count, #file, #line)
        else { return SSL_TLSEXT_ERR_NOACK }
        pinhole_SSL_set_stapled_response(ssl, copy, response.count)
        return SSL_TLSEXT_ERR_OK
    }

    static let keyLog: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void = { ssl, line in
        guard let line else { return }
        channel(of: ssl)?.pointee.keyLog?(String(cString: line))
    }

    static let selectProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { ssl, selected, selectedCount, offered, offeredCount, _ in
            guard let wanted = channel(of: ssl)?.pointee.applicationProtocol, let offered else {
                return SSL_TLSEXT_ERR_NOACK
            }
            // Length-prefixed names (RFC 7301 §3.1), whose lengths libssl has checked.
            var rest = UnsafeBufferPointer(start: offered, count: Int(offeredCount))[...]
            while let count = rest.first.map(Int.init), rest.count > count {
                let name = rest.dropFirst().prefix(count)
                if name.elementsEqual(wanted) {
                    selected?.pointee = offered + name.startIndex
                    selectedCount?.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                rest = rest.dropFirst(count + 1)
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }

    private static func channel(of ssl: OpaquePointer?) -> UnsafeMutablePointer<TLSChannel>? {
        ssl.flatMap { ConnectionQuestions($0).applicationData }?.assumingMemoryBound(to: TLSChannel.self)
    }
}
