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

    /// The day in UTC: `2026-11-21`.
    var dateText: String {
        var parts = tm()
        var clock = time_t(seconds)
        guard gmtime_r(&clock, &parts) != nil else { return "\(seconds) s" }
        let two = { (number: Int32) in (number < 10 ? "0" : "") + String(number) }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}
