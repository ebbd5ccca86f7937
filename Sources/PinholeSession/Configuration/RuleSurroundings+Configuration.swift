import PinholeModel
import PinholeProxy
import PinholeRules
import PinholeRuntime

extension RuleSurroundings {
    /// Takes the settings of `configuration` that rules depend on.
    package init(_ configuration: Configuration) {
        self.init(
            pathKind: RuleSet.PathKind.init(ofFile:),
            passthrough: try? HostRules(configuration.tls.passthrough),
            ownHost: ProxyPolicy.proxyHost,
            listeners: configuration.proxy.listen.map {
                Authority(host: .address($0.address.address), port: $0.address.port)
            }
        )
    }
}
