@profile:since-1.34
Feature: Recreation of deleted generated ResourceClaims
  A pod gets its own ResourceClaim for each ResourceClaimTemplate that it references. The specification does not
  say what happens if such a ResourceClaim is deleted while the pod is Pending. Controllers of the releases
  generate it again.

  Background:
    Given the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:deleted-claim-generated-again
  @DRA/template/one-claim-per-pod
  Scenario: Only the deleted ResourceClaim of a Pending pod is generated again
    Given a claim "c" requesting 2 devices
    And a pod "holder" that uses claim "c"
    And a template "t" requesting 1 device
    When the cluster settles
    Then pod "holder" runs
    When this object is created
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        resourceClaims:
          - {name: first, resourceClaimTemplateName: t}
          - {name: second, resourceClaimTemplateName: t}
        containers: [{name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}, {name: second}]}}]
      """
    And the cluster settles
    Then pod "p" is pending
    When the ResourceClaim "first of pod p" is updated with
      | field           | value           |
      | metadata.labels | {made: earlier} |
    And the ResourceClaim "second of pod p" is updated with
      | field           | value           |
      | metadata.labels | {made: earlier} |
    And the ResourceClaim "first of pod p" is deleted
    And the cluster settles
    Then the ResourceClaim "first of pod p" has
      | field           | value |
      | metadata.labels | null  |
    And the ResourceClaim "second of pod p" has
      | field           | value           |
      | metadata.labels | {made: earlier} |
    When pod "holder" is deleted
    And the cluster settles
    Then pod "p" runs
    And claim "first of pod p" is reserved for pod "p"
    And claim "second of pod p" is reserved for pod "p"
