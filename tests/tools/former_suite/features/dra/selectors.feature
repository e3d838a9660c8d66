Feature: Selectors
  DeviceClasses and requests select devices with CEL expressions over the data of the devices in ResourceSlices.

  Rule: Expressions that fail

    @case:compile-error-without-devices
    @DRA/selector/non-boolean-or-failing-expression @profile:since-1.34
    Scenario: A selector that does not compile is no error in releases if there are no devices
      Given objects that the API server does not admit, because a later release may know more expressions
      And a claim "c" with the requests
        | request | selector         |
        | r0      | device.driver == |
      When allocation of claim "c" is attempted
      Then nothing fits
