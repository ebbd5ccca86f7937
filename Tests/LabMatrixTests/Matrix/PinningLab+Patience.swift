import PinholeLab

extension PinningLab.Options {
    /// Lets no deadline pass: with hundreds of tests side by side a cell may wait for a minute.
    static var patient: PinningLab.Options {
        var options = PinningLab.Options()
        options.patience = .seconds(600)
        return options
    }
}
