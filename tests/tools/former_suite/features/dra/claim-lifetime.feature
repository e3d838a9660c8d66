@profile:kep @profile:since-1.34
Feature: Lifetime of ResourceClaims

  Background:
    Given the devices
      | device | attribute size |
      | gpu-0  | string small   |
      | gpu-1  | string small   |

  @case:template-spec-copied
  @DRA/template/spec-copied
  Scenario: A generated ResourceClaim has the requests of its ResourceClaimTemplate
    Given a template "t" with the requests
      | request | count | selector                                              |
      | small   | 2     | device.attributes["dra.example.com"].size == "small"  |
      | any     | 1     |                                                       |
    And a pod "p" that uses the template "t" as "gpu"
    When the cluster settles
    Then the ResourceClaim "gpu of pod p" has
      | field                                                       | value                                                    |
      | spec.devices.requests[0].name                               | small                                                    |
      | spec.devices.requests[0].exactly.count                      | 2                                                        |
      | spec.devices.requests[0].exactly.selectors[0].cel.expression | device.attributes["dra.example.com"].size == "small" |
      | spec.devices.requests[1].name                               | any                                                      |
      | spec.devices.requests[1].exactly.selectors                  | null                                                     |
      | spec.devices.requests[2]                                    | null                                                     |

  @case:stale-resource-version
  @API/object/written-meanwhile
  Scenario Outline: A stale resourceVersion is rejected as Conflict, and an update without one is stored
    Given a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then claim "c" is reserved for pod "p"
    When <of> ResourceClaim "c" is updated with
      | field                    | value  |
      | metadata.resourceVersion | '1'    |
      | metadata.labels          | {a: b} |
    Then it is rejected as Conflict
    When <of> ResourceClaim "c" is updated with
      | field                    | value  |
      | metadata.resourceVersion | null   |
      | metadata.labels          | {a: b} |
    Then it is stored

    Examples:
      | what   | of                |
      | object | the               |
      | status | the status of the |
