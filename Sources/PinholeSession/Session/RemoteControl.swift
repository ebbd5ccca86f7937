import PinholeModel

/// The control of a proxy in another process, by its control API; each area of actions extends it.
struct RemoteControl: ProxyControl {
    let api: ControlAPI
}
