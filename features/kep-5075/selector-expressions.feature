Feature: Validation of CEL expressions with device.allowMultipleAllocations
  New CEL expressions can use the property only while DRAConsumableCapacity is on.

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

  @case:gate-on-property-accepted
  @KEP-5075/selector/available-with-gate @profile:kep @profile:since-1.34
  Scenario Outline: With DRAConsumableCapacity on, a new selector can use allowMultipleAllocations
    Given the feature gate "DRAConsumableCapacity" is on
    When <kind> "<name>" is created
    Then the field "<path>" is kept

    Examples:
      | kind                  | name   | path                                            |
      | DeviceClass           | shared | spec.selectors                                  |
      | ResourceClaim         | c      | spec.devices.requests[0].exactly.selectors      |
      | ResourceClaimTemplate | t      | spec.spec.devices.requests[0].exactly.selectors |

  @case:gate-off-property-rejected
  @KEP-5075/selector/gate-off-new-expression @profile:kep @profile:since-1.34
  Scenario Outline: With DRAConsumableCapacity off, a new selector with allowMultipleAllocations is rejected
    Given the feature gate "DRAConsumableCapacity" is off
    When <kind> "<name>" is created
    Then the object is rejected
    But since Kubernetes 1.34, because the KEP does not specify the error: the object is rejected with Invalid at "<path>"

    Examples:
      | kind                  | name   | path                                                              |
      | DeviceClass           | shared | spec.selectors[0].cel.expression                                  |
      | ResourceClaim         | c      | spec.devices.requests[0].exactly.selectors[0].cel.expression      |
      | ResourceClaimTemplate | t      | spec.spec.devices.requests[0].exactly.selectors[0].cel.expression |
