import PinholeCrypto
import PinholeFilter
import PinholeModel
import PinholeRuntime
import PinholeSession
import PinholeTelemetry

extension ProxySession {
    /// Writes the places of the CA and the capture, and warnings, to standard error.
    func describe(_ configuration: Configuration) {
        if isNewAuthority {
            FirstUse.introduce(configuration)
        } else {
            let path = AuthorityDirectory(path: configuration.authority.directory).certificatePath
            StandardError.write("pinhole: the CA \(path) (pinhole ca show)")
        }
        StandardError.write("pinhole: capture \(configuration.capture.file ?? "none; nothing is recorded")")
        if configuration.capture.filter != .everything {
            StandardError.write(
                "pinhole: only exchanges that match \(Plain.printable(configuration.capture.filterInUse)) are recorded"
            )
            FlagValue.sayRemarks(on: configuration.capture.filter)
        }
        if let url = configuration.telemetry.url {
            StandardError.write("pinhole: spans of all traffic go to \(UserInfo.hidden(in: url))")
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
