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
  Scenario: A Pending pod's deleted ResourceClaim is regenerated, and the pod's other claim is kept
    Given a ResourceClaim "c" requesting 2 devices
    And a pod "holder" that uses ResourceClaim "c"
    And a ResourceClaimTemplate "t" requesting 1 device
    When the cluster reaches a steady state
    Then pod "holder" is Running
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
    And the cluster reaches a steady state
    Then pod "p" is Pending
    When ResourceClaim "first of pod p" is updated with
      | field           | value           |
      | metadata.labels | {made: earlier} |
    And ResourceClaim "second of pod p" is updated with
      | field           | value           |
      | metadata.labels | {made: earlier} |
    And ResourceClaim "first of pod p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "first of pod p" has
      | field                | value |
      | metadata.labels.made | null  |
    And ResourceClaim "second of pod p" has
      | field           | value           |
      | metadata.labels | {made: earlier} |
    When pod "holder" is deleted
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "first of pod p" is reserved for pod "p"
    And ResourceClaim "second of pod p" is reserved for pod "p"
    But since Kubernetes 1.34, because the controller can take a deleted ResourceClaim for an existing one for an hour: ResourceClaim "second of pod p" has
      | field           | value           |
      | metadata.labels | {made: earlier} |
