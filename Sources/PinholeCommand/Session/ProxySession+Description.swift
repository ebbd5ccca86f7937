import PinholeCrypto
import PinholeFilter
import PinholeRuntime

extension ProxySession {
    /// Says on standard error what people need to know before they use it.
    func describe(_ configuration: Configuration) {
        let path = AuthorityDirectory(path: configuration.authority.directory).certificatePath
        StandardError.write(
            "pinhole: \(isNewAuthority ? "made a new CA" : "the CA") \(path) (pinhole ca show)"
        )
        StandardError.write("pinhole: capture \(configuration.capture.file ?? "none; nothing is recorded")")
        if configuration.capture.filter != .everything {
            StandardError.write(
                "pinhole: recorded is only what \(Plain.printable(configuration.capture.filterInUse)) means"
            )
            FlagValue.sayRemarks(on: configuration.capture.filter)
        }
        for certificate in configuration.proxy.certificates {
            guard let identity = try? certificate.identity(),
                let warning = Configuration.ListenerCertificate.warning(
                    about: identity,
                    from: certificate.file,
                    now: LoopClock().now()
                )
            else { continue }
            StandardError.write("pinhole: warning: \(warning)")
        }
        if let warning = minter.authority.expiryWarning(now: LoopClock().now()) {
            StandardError.write("pinhole: warning: \(warning)")
        }
    }
}
