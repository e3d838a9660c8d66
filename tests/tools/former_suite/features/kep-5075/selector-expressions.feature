Feature: Where expressions may use device.allowMultipleAllocations
  New expressions may use the property while DRAConsumableCapacity is on, and only then.

  Background:
    Given the objects
      """
      apiVersion: resource.k8s.io/v1
      kind: DeviceClass
      metadata:
        name: shared
      spec:
        selectors:
          - cel:
              expression: device.allowMultipleAllocations == true
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata:
        name: c
        namespace: default
      spec:
        devices:
          requests:
            - name: r0
              exactly:
                deviceClassName: shared
                selectors:
                  - cel:
                      expression: "!device.allowMultipleAllocations"
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaimTemplate
      metadata:
        name: t
        namespace: default
      spec:
        spec:
          devices:
            requests:
              - name: r0
                exactly:
                  deviceClassName: shared
                  selectors:
                    - cel:
                        expression: device.allowMultipleAllocations
      """

  @case:with-the-gate-on-a-new-may-use-the-property
  @KEP-5075/selector/available-with-gate @profile:kep @profile:since-1.34
  Scenario Outline: With the gate on, a new <kind> may use the property
    Given the feature gate "DRAConsumableCapacity" is on
    When the <kind> "<name>" is created
    Then the field "<path>" is kept

    Examples:
      | kind                  | name   | path                                            |
      | DeviceClass           | shared | spec.selectors                                  |
      | ResourceClaim         | c      | spec.devices.requests[0].exactly.selectors      |
      | ResourceClaimTemplate | t      | spec.spec.devices.requests[0].exactly.selectors |
