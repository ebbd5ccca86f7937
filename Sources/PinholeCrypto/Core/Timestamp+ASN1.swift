import COpenSSL
import Glibc
import PinholeModel

extension Timestamp {
    /// Reads a UTCTime or GeneralizedTime; `nil` if it is malformed.
    init?(_ time: UnsafePointer<ASN1_TIME>?) {
        var parts = tm()
        guard let time, OpenSSLQueue.quietly({ ASN1_TIME_to_tm(time, &parts) == 1 }) else { return nil }
        self.init(seconds: Int64(timegm(&parts)))
    }
}
