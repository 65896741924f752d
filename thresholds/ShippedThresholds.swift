public enum ShippedThresholds {}
