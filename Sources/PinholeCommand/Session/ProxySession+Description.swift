import PinholeCrypto
import PinholeFilter
import PinholeRuntime

extension ProxySession {
    /// Says on standard error where the new CA lies, who uses it and how to remove it.
    func describeNewAuthority(_ configuration: Configuration) {
        let directory = AuthorityDirectory(path: configuration.authority.directory)
        StandardError.write("pinhole: made a new CA \(directory.certificatePath) (pinhole ca show)")
        guard let reach = Places().reach(ofAuthorityIn: directory.path) else { return }
        StandardError.write("pinhole: used by \(reach); to remove it: pinhole ca uninstall --yes")
        if let file = configuration.capture.file, let state = try? Places().stateDirectory(),
            file.hasPrefix("\(state)/")
        {
            StandardError.write("pinhole: captures lie in \(state); to remove them: rm -r \(state)")
        }
    }

    /// Says on standard error what people need to know before they use it.
    func describe(_ configuration: Configuration) {
        if isNewAuthority {
            describeNewAuthority(configuration)
        } else {
            let path = AuthorityDirectory(path: configuration.authority.directory).certificatePath
            StandardError.write("pinhole: the CA \(path) (pinhole ca show)")
        }
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
