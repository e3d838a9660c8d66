"""Extended resources backed by DeviceClasses (KEP-5004), and the claim that is created for them."""
