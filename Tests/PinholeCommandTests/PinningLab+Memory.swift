import PinholeLab

extension PinningLab.Options {
    /// Lets no deadline pass beside hundreds of tests, and lets clients that behave alike meet each server once.
    static var inMemory: PinningLab.Options {
        var options = PinningLab.Options()
        options.patience = .seconds(600)
        options.judgesInMemory = true
        return options
    }
}
